//! Fuzzes [`dev_readers::decisions`].

#![no_main]

weft_fuzz::target!(dev_readers::decisions);
