//! Fuzzes [`dev_readers::fatbin`].

#![no_main]

weft_fuzz::target!(dev_readers::fatbin);
