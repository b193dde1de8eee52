import Basics
import Codecs
import EditModel
import LivePhotoFormat
import Rendering

/// Gain maps, depth and mattes of JPEGs, which follow their picture.
extension JPEGRender {
  /// A map, and what it does not carry any more.
  typealias EditedMap = (map: JPEGMap, removals: [Removal])

  /// A gain map, depth or a matte, turned and cropped like its picture: to the very same places, which may lie between its
  /// samples. Light and colours do not change it: see Documentation/GainMaps.md.
  ///
  /// - Parameters:
  ///   - map: the map.
  ///   - plan: the picture's plan; nil where it is not cropped.
  /// - Returns: the map, and what it does not carry any more.
  func edited(_ map: JPEGMap, by plan: GeometryPlan?) throws -> EditedMap {
    guard plan != nil || transform != .identity else { return (map, []) }
    let picture = try JPEGFile(map.bytes).untilEOI
    // Depth is measured in its samples, and finer ones cost little.
    let quality = map.isGainMap ? job.settings.quality : .high
    let image: [UInt8]
    if let plan {
      image = try JPEGCodec.edit(picture, by: transform, quality: quality) { frame in
        try plan.stage(frame, FrameContext(half: .photo, time: 0))
      }
    } else {
      image = try JPEGCodec.turn(picture, by: transform, quality: quality).jpeg
    }
    let new = try JPEGSurgery.rewrittenMap(
      map.bytes, image: image, transform: transform, projection: plan?.projection)
    var edited = map
    edited.bytes = new.bytes
    return (edited, new.removals)
  }

  /// Depth as Google has it, in XMP or behind the picture, likewise; it stays a JPEG or a PNG.
  ///
  /// - Throws: ``MediaError`` when it cannot be decoded, or has another shape than the stored picture or another orientation, so
  ///   that it is not known how it lies on it.
  func editedDepth(_ map: JPEGMap, by plan: GeometryPlan?) throws -> EditedMap {
    guard plan != nil || transform != .identity else { return (map, []) }
    let isJPEG = map.bytes.starts(with: [0xFF, 0xD8])
    let png = isJPEG ? nil : try PNGFile(reading: MemoryByteSource(map.bytes))
    let size = try png?.layout.size ?? JPEGFile(map.bytes).header.frame.size
    let stored = surgery.original.header.frame.size
    let shapes = (size.width * stored.height, size.height * stored.width)
    guard abs(shapes.0 - shapes.1) * 50 <= max(shapes.0, shapes.1) else {
      throw MediaError("the depth map and the picture have different proportions", isUnsupported: true)
    }
    guard let png else {
      let own = try Photo(MemoryByteSource(map.bytes)).metadata().orientation
      guard [.identity, surgery.metadata.orientation].contains(own) else {
        throw MediaError("the depth map and the picture have different orientations", isUnsupported: true)
      }
      return try edited(map, by: plan)
    }
    var edited = map
    edited.bytes = try Self.edited(png, transform, plan)
    return (edited, [])
  }

  /// A PNG, turned without loss, and cropped by way of frames of 10 bits.
  private static func edited(
    _ file: PNGFile, _ transform: Orientation, _ plan: GeometryPlan?
  ) throws -> [UInt8] {
    var picture = try PNGPicture(file).turned(by: transform)
    if let plan {
      let frames = try picture.frames(palette: file.palette(), transparency: file.transparency())
      let context = FrameContext(half: .photo, time: 0)
      picture = try PNGPicture(
        plan.stage(frames.picture, context), alpha: frames.alpha.map { try plan.stage($0, context) },
        bitDepth: file.layout.bitDepth == 16 ? 16 : 8)
    }
    var edit = PNGEdit(
      layout: picture.layout, data: try picture.encoded(), keepsPixels: plan == nil, transform: transform,
      orientation: .identity)
    edit.projection = plan?.projection
    let sink = MemoryByteSink()
    _ = try file.write(edit, identifier: nil, to: sink)
    return sink.bytes
  }
}
