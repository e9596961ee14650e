//! Fuzzes [`dev_readers::feedback`].

#![no_main]

weft_fuzz::target!(dev_readers::feedback);
