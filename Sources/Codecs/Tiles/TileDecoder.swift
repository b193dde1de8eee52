import Basics
internal import CFFmpeg
import Rendering

/// A decoder for the tiles of a still picture. Tiles are decoded one after another on the calling thread.
///
/// The decoder is strict. A tile causes an error if it is damaged, has the wrong size, or is not an intra picture. A
/// tile never influences the decoding of later tiles.
final class TileDecoder {
  private let tiles: CodedTiles
  private let context: CodecHandle
  private let packet: PacketHandle
  private let lengthSize: Int

  /// The number of bytes in a decoder configuration record that precede the parameter sets.
  private static let recordHeader = 23

  init(_ tiles: CodedTiles) throws {
    _ = LibAV.setUp
    self.tiles = tiles
    let record = tiles.configuration
    guard record.count >= Self.recordHeader, record.count <= 1 << 20, record[0] == 1, record[21] & 3 != 2
    else {
      throw MediaError.damaged("the picture's parameter sets are damaged")
    }
    lengthSize = Int(record[21] & 3) + 1
    guard let decoder = avcodec_find_decoder(AV_CODEC_ID_HEVC) else {
      throw MediaError.missing("HEVC decoder")
    }
    context = try CodecHandle(decoder)
    packet = try PacketHandle()
    let fields = context.pointer
    AllowedFormats.restrict(fields)
    fields.pointee.extradata = try LibAV.extradata(record)
    fields.pointee.extradata_size = Int32(record.count)
    fields.pointee.thread_count = 1
    // The coded size is a multiple of the block size, which is at most 64 by 64 pixels. Part of the last blocks may be
    // cropped.
    fields.pointee.max_pixels = Int64((tiles.grid.tile.width + 64) * (tiles.grid.tile.height + 64))
    fields.pointee.flags |= Int32(AV_CODEC_FLAG_UNALIGNED)
    fields.pointee.err_recognition = AV_EF_EXPLODE | AV_EF_CAREFUL | AV_EF_CRCCHECK
    let status = avcodec_open2(fields, decoder, nil)
    guard status >= 0 else {
      throw LibAV.failure(
        status, .damaged("the picture's parameter sets are damaged (\(LibAV.message(status)))"))
    }
  }

  /// Decodes a tile.
  ///
  /// - Parameter index: The index of the tile, counted row by row from 0.
  /// - Returns: The tile, in memory that belongs to the decoder.
  func decode(_ index: Int) throws -> PlanarFrame {
    let data = try tiles.tile(index)
    guard data.count <= tiles.grid.mostTileBytes, let units = pictureUnits(data) else { throw damaged(index) }
    let fields = packet.pointer
    try packet.fill(units.reduce(into: []) { $0 += data[$1] })
    defer { av_packet_unref(fields) }
    fields.pointee.flags |= AV_PKT_FLAG_KEY
    // After every tile, the decoder is told that the stream has ended, so that it returns the picture immediately.
    defer { avcodec_flush_buffers(context.pointer) }
    let frame = try FrameHandle()
    var status = avcodec_send_packet(context.pointer, fields)
    if status >= 0 { status = avcodec_send_packet(context.pointer, nil) }
    if status >= 0 { status = avcodec_receive_frame(context.pointer, frame.pointer) }
    guard status >= 0, !frame.isDamaged else { throw LibAV.failure(status, damaged(index)) }
    guard let picture = frame.picture(), frame.pointer.pointee.interlaced_frame == 0 else {
      throw MediaError.unsupported("the picture's pixel format is not supported")
    }
    guard picture.format.size == tiles.grid.tile else {
      throw MediaError.damaged(
        tiles.grid.count == 1
          ? "the picture does not have the size that the file declares"
          : "tile \(index + 1) of the picture does not have the size that the file declares")
    }
    return picture
  }

  private func damaged(_ index: Int) -> MediaError {
    MediaError.damaged(
      tiles.grid.count == 1
        ? "the picture data is damaged" : "tile \(index + 1) of \(tiles.grid.count) in the picture is damaged"
    )
  }

  /// Finds the NAL units of a tile.
  ///
  /// Parameter sets in the tile are skipped. With `hvc1`, all parameter sets are in the configuration record, and
  /// parameter sets in a tile would remain active for later tiles.
  ///
  /// - Parameter data: Length-prefixed NAL units.
  /// - Returns: The ranges of the units including their lengths, or nil if the units do not fill the data or do not
  ///   belong to an intra picture. In HEVC table 7-1, types 16 to 21 are intra pictures, and types 32 to 34 are
  ///   parameter sets.
  private func pictureUnits(_ data: [UInt8]) -> [Range<Int>]? {
    var units: [Range<Int>] = []
    var hasPicture = false
    var at = 0
    while at < data.count {
      guard data.count - at > lengthSize else { return nil }
      let body = at + lengthSize
      let length = data[at..<body].reduce(0) { $0 << 8 | Int($1) }
      guard length >= 2, length <= data.count - body else { return nil }
      let type = data[body] >> 1 & 63
      if (16...21).contains(type) { hasPicture = true } else if type < 32 { return nil }
      if !(32...34).contains(type) { units.append(at..<body + length) }
      at = body + length
    }
    return hasPicture ? units : nil
  }
}
