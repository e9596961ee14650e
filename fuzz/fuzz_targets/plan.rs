//! Fuzzes [`dev_readers::plan`].

#![no_main]

weft_fuzz::target!(dev_readers::plan);
