//! Fuzzes [`dev_readers::ptx`].

#![no_main]

weft_fuzz::target!(dev_readers::ptx);
