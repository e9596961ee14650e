//! Fuzzes [`dev_readers::manifest`].

#![no_main]

weft_fuzz::target!(dev_readers::manifest);
