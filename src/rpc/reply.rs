//! Reads an upstream's body without judging it.
