//! The verdict room from outside: the corpus, the rules' own samples, hostile text, properties.

mod batch;
mod case;
mod corpus;
mod field;
mod hostile;
mod known;
mod policy;
mod properties;
mod rows;
mod x402;
