// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "transport/views.h"

// Host functions that start kernels. Host-only units use these and never see a kernel's name.
namespace transport {

void launch_emit(ParticleView particles, const SourceSpec& source);
void launch_advance(ParticleView particles, CrossSectionView sections, TrackView tracks);
void launch_collide(ParticleView particles);
void launch_roulette(ParticleView particles);
void launch_tally(TrackView tracks, LayerFlux* flux);
void launch_spectrum(TrackView tracks, Count* spectrum);
void launch_filters(const Count* spectrum, Count* filtered);
void launch_thermal_response(TrackView tracks, Count* response);
void launch_fast_response(TrackView tracks, Count* response);
void launch_dose(TrackView tracks, Count* dose);

void upload_tables();
void reset_events();
void read_events(Count (&counts)[kEventCount]);
Count read_roulette_survivors();

}  // namespace transport
