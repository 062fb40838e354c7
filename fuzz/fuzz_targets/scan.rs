#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| breakwater_fuzz::checks::scan::check(data));
