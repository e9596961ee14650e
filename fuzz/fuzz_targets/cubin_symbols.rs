//! Fuzzes [`dev_readers::cubin_symbols`].

#![no_main]

weft_fuzz::target!(dev_readers::cubin_symbols);
