//! Fuzzes [`dev_readers::staged_imports`].

#![no_main]

weft_fuzz::target!(dev_readers::staged_imports);
