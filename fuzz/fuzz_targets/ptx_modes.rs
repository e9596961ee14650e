//! Fuzzes [`dev_readers::ptx_modes`].

#![no_main]

weft_fuzz::target!(dev_readers::ptx_modes);
