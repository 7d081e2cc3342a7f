# SPDX-License-Identifier: BSD-3-Clause
# The CUDA backend, compiled against a stub header and run on a fake runtime:
# it is checked wherever cairn is built.
EXTRA_DIST += tests/stubs/cuda_runtime_api.h
if HAVE_CMOCKA
check_PROGRAMS += tests/stubs/test-platform-cuda
TESTS += tests/stubs/test-platform-cuda
VALGRIND_TESTS += tests/stubs/test-platform-cuda
tests_stubs_test_platform_cuda_SOURCES = tests/stubs/test-platform-cuda.c \
	tests/stubs/cuda-fake.c tests/stubs/cuda-fake.h exec/platform-cuda.c \
	exec/devices.c exec/devices-private.h
tests_stubs_test_platform_cuda_CPPFLAGS = -I$(srcdir)/tests/stubs $(AM_CPPFLAGS) \
	-DCAIRN_HAVE_CUDA=1 $(CMOCKA_CFLAGS) $(HWLOC_CFLAGS)
tests_stubs_test_platform_cuda_LDADD = libcairn-core.la $(CMOCKA_LIBS) $(HWLOC_LIBS)
# NVIDIA's management library, likewise.
check_PROGRAMS += tests/stubs/libnvidia-ml.so.1 tests/stubs/test-nvml
TESTS += tests/stubs/test-nvml
VALGRIND_TESTS += tests/stubs/test-nvml
tests_stubs_libnvidia_ml_so_1_SOURCES = tests/stubs/nvml-fake.c
tests_stubs_libnvidia_ml_so_1_CFLAGS = $(EXAMPLE_CFLAGS) -fvisibility=default
tests_stubs_libnvidia_ml_so_1_LINK = $(EXAMPLE_LINK) \
	-Wl,-soname,libnvidia-ml.so.1
tests_stubs_test_nvml_SOURCES = tests/stubs/test-nvml.c exec/nvml.c exec/nvml-private.h
tests_stubs_test_nvml_CPPFLAGS = $(AM_CPPFLAGS) $(CMOCKA_CFLAGS)
tests_stubs_test_nvml_LDADD = libcairn-core.la $(CMOCKA_LIBS)
endif
