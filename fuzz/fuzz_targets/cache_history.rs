//! Fuzzes [`dev_readers::cache_history`].

#![no_main]

weft_fuzz::target!(dev_readers::cache_history);
