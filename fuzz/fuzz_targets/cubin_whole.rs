//! Fuzzes [`dev_readers::cubin_whole`].

#![no_main]

weft_fuzz::target!(dev_readers::cubin_whole);
