//! Fuzzes [`dev_readers::link_jobs`].

#![no_main]

weft_fuzz::target!(dev_readers::link_jobs);
