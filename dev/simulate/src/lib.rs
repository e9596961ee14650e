//! Predicts how long a build takes on a cluster.
//!
//! The jobs of a program are measured once ([`gather`]), with their times, files and memory, and
//! kept as JSON ([`jobs`]). A cluster is described by its workers and links ([`cluster`]), and what
//! an action costs beside its work is measured on a real server with another program
//! ([`calibration`]). The [`engine`] schedules the jobs with a known rule ([`priority`]). A program
//! of any number of units can be drawn from measured units ([`draw`]).

pub mod calibration;
pub mod chart;
pub mod classes;
pub mod cluster;
pub mod curves;
pub mod draw;
pub mod engine;
pub mod gather;
pub mod jobs;
pub mod priority;
pub mod text;

mod fluid;
mod model;
