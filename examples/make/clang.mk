UNITS := $(basename $(wildcard src/*.cu))
OBJECTS := $(patsubst %,build/%.o,$(UNITS) $(basename $(wildcard src/*.cpp)))
FLAGS := -O3 -Iinclude -I$(CUDA)/include -MMD
DEVICE := --cuda-path=$(CUDA) --cuda-gpu-arch=sm_90 -fgpu-rdc --offload-new-driver -foffload-lto \
  -Xarch_device -fwhole-program-vtables -Xarch_device -fno-strict-aliasing \
  -Xarch_device -mllvm=-unroll-threshold-aggressive=1 \
  -Xarch_device -mllvm=-unroll-threshold-default=1 \
  -Xarch_device -mllvm=-nvvm-reflect-add=__CUDA_PREC_SQRT=1

build/transport: $(OBJECTS) build/image.o
	clang++ $^ -o $@ -Wl,--dependency-file=$@.d -L$(CUDA)/lib -lcudart_static -ldl -lrt -lpthread
	weft guard --image build/image.fatbin --manifest build/plans/manifest.json \
	  --dependency-file $@.d --remove $@
build/image.o: $(UNITS:%=build/%.cubin)
	nvlink -arch=sm_90 $^ -o build/image.cubin
	fatbinary --create=build/image.fatbin -64 --compress-all --image3=kind=elf,sm=90,file=build/image.cubin
	weft register build/image.fatbin -o build/image.c
	clang -c build/image.c -o $@
build/%.cubin: build/%.linked.bc
	backend-job codegen $< -o build/$*.ptx && backend-job assemble build/$*.ptx -o $@ && touch $@
build/%.linked.bc: build/plans/%.plan
	backend-job import --plan $< --module build/$*.o --module-map build/units --depfile $@.d -o $@
	touch $@
build/plans/%.plan: build/plans/manifest.json ;
build/plans/manifest.json: $(OBJECTS:.o=.summary)
	printf '%s\n' $(foreach unit,$(UNITS),'$(unit)	build/$(unit).o') > build/units
	thinlink --has-global-host-info -o $(@D) $^ && touch $@
build/%.summary: build/%.o
	summarize --module-id $* -o $@ $< && touch $@
build/%.o: %.cu
	mkdir -p $(@D) && clang++ $(FLAGS) $(DEVICE) -cuid=$* -c $< -o $@
build/%.o: %.cpp
	mkdir -p $(@D) && clang++ $(FLAGS) -c $< -o $@
.PRECIOUS: build/%.linked.bc build/plans/%.plan
-include $(wildcard build/src/*.d)
