//! Fuzzes [`dev_readers::cache_entry`].

#![no_main]

weft_fuzz::target!(dev_readers::cache_entry);
