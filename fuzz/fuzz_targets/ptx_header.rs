//! Fuzzes [`dev_readers::ptx_header`].

#![no_main]

weft_fuzz::target!(dev_readers::ptx_header);
