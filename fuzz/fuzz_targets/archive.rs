//! Fuzzes [`dev_readers::archive`].

#![no_main]

weft_fuzz::target!(dev_readers::archive);
