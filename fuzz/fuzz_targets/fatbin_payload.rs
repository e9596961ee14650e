//! Fuzzes [`dev_readers::fatbin_payload`].

#![no_main]

weft_fuzz::target!(dev_readers::fatbin_payload);
