//! The request bytes that go upstream.
