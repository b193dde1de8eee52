import EditModel
import Testing

@testable import Codecs

@Suite struct NALUnitsTests {
  func converted(_ stream: [UInt8], _ codec: RenderSettings.VideoCodec) -> [UInt8] {
    stream.withUnsafeBufferPointer { NALUnits.lengthPrefixed($0, codec: codec) }
  }

  @Test func bothStartCodesAndTrailingZerosAreNoPartOfAUnit() {
    let stream: [UInt8] = [
      0, 0, 0, 1, 0x65, 1, 0, 2, 0, 0, 1, 0x41, 9, 0, 0, 3, 1, 0, 0, 0, 1, 0x01, 7, 0, 0,
    ]
    #expect(
      converted(stream, .h264) == [
        0, 0, 0, 4, 0x65, 1, 0, 2, 0, 0, 0, 6, 0x41, 9, 0, 0, 3, 1, 0, 0, 0, 2, 1, 7,
      ])
  }

  @Test func parameterSetsAndTheEncodersMessageAreLeftOut() {
    // H.264 units: delimiter, SPS, PPS, SEI 5, SEI 6, IDR.
    let h264: [UInt8] = [
      0, 0, 1, 9, 16, 0, 0, 1, 0x67, 1, 0, 0, 1, 0x68, 1, 0, 0, 1, 6, 5, 1, 0, 0, 1, 6, 6, 1, 0, 0, 1, 0x65,
      8,
    ]
    #expect(converted(h264, .h264) == [0, 0, 0, 3, 6, 6, 1, 0, 0, 0, 2, 0x65, 8])
    // HEVC units: VPS, SPS, PPS, delimiter, prefix SEI 5, IDR_W_RADL.
    var hevc: [UInt8] = []
    for type: UInt8 in [32, 33, 34, 35, 39, 19] { hevc += [0, 0, 1, type << 1, 1, 5] }
    #expect(converted(hevc, .hevc) == [0, 0, 0, 3, 19 << 1, 1, 5])
  }

  @Test func streamsWithoutUnitsGiveNothing() {
    for stream in [[], [0], [0, 0], [0, 0, 1], [0, 0, 0, 0, 0], [1, 2, 3, 4]] as [[UInt8]] {
      #expect(converted(stream, .h264).isEmpty)
    }
  }
}
