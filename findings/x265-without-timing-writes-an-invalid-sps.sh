#!/usr/bin/env bash
# x265 writes an invalid HEVC sequence parameter set if its timing information is switched off.
#
# According to ITU-T H.265, section E.2.1, vui_hrd_parameters_present_flag follows the timing fields only if
# vui_timing_info_present_flag is 1. With vui-timing-info=0, x265 writes 0 for vui_timing_info_present_flag, but still writes
# vui_hrd_parameters_present_flag. Because of this extra bit, decoders read all later fields one bit late, and the set doesn't end
# with a stop bit.
# Expected: a valid set without timing information.
# Observed with x265 3.5+1 in FFmpeg 7.0.2 (bundled in imageio-ffmpeg 0.6.0), and with x265 3.5 of Debian 12: decoders play the
# movie, but FFmpeg's bitstream filter hevc_metadata refuses it: “rbsp_stop_one_bit out of range”. The same filter accepts the
# movie with timing information.
#
# Needs python3 with venv and a network connection. Fails if the behaviour changes.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv python
python/bin/pip install --quiet imageio-ffmpeg==0.6.0
ffmpeg=$(python/bin/python -c 'import imageio_ffmpeg; print(imageio_ffmpeg.get_ffmpeg_exe())')
"$ffmpeg" -version | head -n 1

# encode NAME OPTIONS: encodes a small movie, and checks that it decodes without an error.
encode() {
  "$ffmpeg" -v error -f lavfi -i testsrc=d=0.2:s=64x64 -pix_fmt yuv420p -c:v libx265 -x265-params "log-level=0:$2" "$1"
  "$ffmpeg" -v error -xerror -i "$1" -f null -
}
encode with.mp4 vui-timing-info=1
encode without.mp4 vui-timing-info=0

"$ffmpeg" -v error -i with.mp4 -c copy -bsf:v hevc_metadata -f null -
if "$ffmpeg" -v error -i without.mp4 -c copy -bsf:v hevc_metadata -f null - 2>said; then
  echo "the behaviour has changed: the set without timing is valid"
  exit 1
fi
grep -q "rbsp_stop_one_bit out of range" said || { cat said; echo "the behaviour has changed"; exit 1; }
echo "without timing: $(grep -m 1 -o 'rbsp_stop_one_bit.*' said)"
