//! Fuzzes [`dev_readers::ptx_parts`].

#![no_main]

weft_fuzz::target!(dev_readers::ptx_parts);
