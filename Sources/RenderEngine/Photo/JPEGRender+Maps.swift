import Basics
import Codecs
import EditModel
import LivePhotoFormat
import Rendering

/// Edits to the gain maps, depth maps and mattes of JPEGs. These maps are edited in the same way as their picture.
extension JPEGRender {
  /// A map, and the metadata that the map no longer contains.
  typealias EditedMap = (map: JPEGMap, removals: [Removal])

  /// Rotates and crops a gain map, depth map or matte to exactly the same area as its picture. The edges of this area
  /// may lie between samples. Light and colour edits do not change the map; see Documentation/GainMaps.md.
  ///
  /// - Parameters:
  ///   - map: The map.
  ///   - plan: The plan for cropping the picture, or nil if the picture is not cropped.
  /// - Returns: The edited map, and the metadata that the map no longer contains.
  func edited(_ map: JPEGMap, by plan: GeometryPlan?) throws -> EditedMap {
    guard plan != nil || transform != .identity else { return (map, []) }
    let picture = try JPEGFile(map.bytes).untilEOI
    // The sample values of a depth map are measurements, and higher precision costs little.
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

  /// Rotates and crops a depth map in Google's format, which is stored in XMP or after the picture. The map keeps its
  /// format, JPEG or PNG.
  ///
  /// - Throws: ``MediaError`` if the map cannot be decoded. Also thrown if the aspect ratio or orientation of the map
  ///   differs from that of the stored picture, because the position of the map in the picture is then unknown.
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

  /// Rotates a PNG without loss. If the PNG is cropped, it is processed as frames with 10 bits per sample.
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
