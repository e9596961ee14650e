//! Fuzzes [`dev_readers::cubin_resources`].

#![no_main]

weft_fuzz::target!(dev_readers::cubin_resources);
