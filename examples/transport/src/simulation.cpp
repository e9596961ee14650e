// SPDX-License-Identifier: Apache-2.0
#include "transport/simulation.h"

#include "transport/cuda_check.h"
#include "transport/device_buffer.h"
#include "transport/launch.h"

// Host code only: it reaches the kernels through the functions of launch.h.
namespace transport {
namespace {

constexpr std::uint32_t kSeed = 20240229;

// In cell edges. Multiples of 1/8, so that they are exact on the device as well.
constexpr float kMeanFreePath[kMaterialCount * kGroupCount] = {
    2.500f, 2.250f, 2.000f, 1.750f, 1.500f, 1.250f, 1.000f, 0.750f,  // moderator
    1.500f, 1.375f, 1.250f, 1.125f, 1.000f, 0.875f, 0.750f, 0.625f,  // shield
    1.000f, 0.875f, 0.750f, 0.625f, 0.500f, 0.375f, 0.250f, 0.125f,  // absorber
    6.000f, 5.500f, 5.000f, 4.500f, 4.000f, 3.500f, 3.000f, 2.500f,  // coolant
};

class CrossSectionTexture {
 public:
  CrossSectionTexture() : table_(kMaterialCount * kGroupCount) {
    table_.upload(kMeanFreePath);
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeLinear;
    resource.res.linear.devPtr = table_.data();
    resource.res.linear.desc = {32, 0, 0, 0, cudaChannelFormatKindFloat};
    resource.res.linear.sizeInBytes = sizeof kMeanFreePath;
    cudaTextureDesc description = {};
    description.readMode = cudaReadModeElementType;
    TRANSPORT_CHECK(cudaCreateTextureObject(&texture_, &resource, &description, nullptr));
  }
  ~CrossSectionTexture() { cudaDestroyTextureObject(texture_); }
  CrossSectionTexture(const CrossSectionTexture&) = delete;
  CrossSectionTexture& operator=(const CrossSectionTexture&) = delete;

  CrossSectionView view() const { return {texture_}; }

 private:
  DeviceBuffer<float> table_;
  cudaTextureObject_t texture_ = 0;
};

SourceSpec central_source() {
  SourceSpec source = {};
  source.seed = kSeed;
  source.side_shift = 10;
  const std::int32_t corner = (kExtent - (1 << source.side_shift)) / 2;
  source.corner = {corner, corner, kCellEdge};
  return source;
}

}  // namespace

Results simulate(std::uint32_t particle_count) {
  DeviceBuffer<Particle> particles(particle_count);
  DeviceBuffer<Count> lengths(kCellCount * kGroupCount);
  DeviceBuffer<LayerFlux> flux(1);
  DeviceBuffer<Count> spectrum(kGroupCount);
  DeviceBuffer<Count> filtered(kFilterCount * kGroupCount);
  DeviceBuffer<Count> thermal(kLayerCount);
  DeviceBuffer<Count> fast(kLayerCount);
  DeviceBuffer<Count> dose(kLayerCount);
  const CrossSectionTexture sections;
  const ParticleView view = {particles.data(), particle_count};
  const TrackView tracks = {lengths.data()};

  upload_tables();
  reset_events();
  launch_emit(view, central_source());
  for (int step = 0; step < kStepCount; ++step) {
    launch_advance(view, sections.view(), tracks);
    launch_collide(view);
    launch_roulette(view);
  }
  launch_tally(tracks, flux.data());
  launch_spectrum(tracks, spectrum.data());
  launch_filters(spectrum.data(), filtered.data());
  launch_thermal_response(tracks, thermal.data());
  launch_fast_response(tracks, fast.data());
  launch_dose(tracks, dose.data());
  TRANSPORT_CHECK(cudaDeviceSynchronize());

  Results results = {};
  flux.download(&results.flux);
  spectrum.download(results.spectrum);
  filtered.download(results.filtered);
  thermal.download(results.thermal);
  fast.download(results.fast);
  dose.download(results.dose);
  read_events(results.events);
  results.survivors = read_roulette_survivors();
  return results;
}

}  // namespace transport
