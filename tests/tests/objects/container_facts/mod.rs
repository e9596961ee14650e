//! The facts that the readers of containers state about files of the real tools.

mod assembly;
mod containers;
mod cubins;
mod entries;
mod files;
mod programs;
mod references;
