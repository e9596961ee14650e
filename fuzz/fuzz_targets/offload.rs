//! Fuzzes [`dev_readers::offload`].

#![no_main]

weft_fuzz::target!(dev_readers::offload);
