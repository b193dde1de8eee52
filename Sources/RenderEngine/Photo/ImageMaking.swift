import Basics
import Codecs
import EditModel
import FileSystem
import FoundationEssentials
import LivePhotoFormat
import Rendering

/// Creates an image for websites from a photo or from a movie's first frame.
struct ImageMaking {
  let job: ImageConversion

  /// The picture of the source, and its metadata.
  private struct Source {
    /// The upright picture.
    var picture: PlanarFrame
    /// The ICC profile of the picture, or nil if code points specify its colours.
    var profile: [UInt8]?
    var exif: [UInt8]?
    var notes: [Message] = []
  }

  /// A finished image.
  private struct Made {
    var bytes: [UInt8]
    var size: PixelSize
    var notes: [Message]
  }

  /// Creates the image and writes it.
  ///
  /// - Parameter isCancelled: Called repeatedly. The work stops if the result is true.
  /// - Throws: ``MediaError`` if the image cannot be created; ``EditError`` if the new file cannot be written;
  ///   `CancellationError` if the work was cancelled.
  func run(isCancelled: () -> Bool) throws -> ConversionResult {
    // Encoders of still pictures are slow and cannot check for cancellation.
    let made = try asking(isCancelled) { try make() }
    try write(made.bytes, to: job.output)
    return ConversionResult(method: .encoded, size: made.size, notes: made.notes)
  }

  /// Returns a photo's picture for a contact sheet: in sRGB, in the colour coding that JPEG codecs accept, and either
  /// grey or with full-resolution chroma (4:4:4).
  ///
  /// - Parameters:
  ///   - path: The path of the photo.
  ///   - side: The maximum length of the longer side in pixels.
  static func thumbnail(ofPhoto path: String, side: Int) throws -> PlanarFrame {
    let making = ImageMaking(
      job: ImageConversion(source: path, output: "", longerSide: side, profile: .srgb))
    return try making.thumbnail(making.photo())
  }

  /// Returns a movie frame for a contact sheet, in the same form as a photo.
  ///
  /// - Parameters:
  ///   - frame: The upright frame.
  ///   - side: The maximum length of the longer side in pixels.
  static func thumbnail(of frame: PlanarFrame, side: Int) throws -> PlanarFrame {
    let making = ImageMaking(job: ImageConversion(source: "", output: "", longerSide: side, profile: .srgb))
    return try making.thumbnail(Source(picture: frame))
  }

  private func thumbnail(_ source: Source) throws -> PlanarFrame {
    let picture = try scaled(source.picture, to: job.size(of: source.picture.format.size))
    let shown = try colored(picture, of: source, keeps: false).forJPEG()
    return shown.format.sampling == .grey ? shown : shown.chromaResampled(to: .yuv444)
  }

  /// Returns the reduced pictures by which the source is compared. The first shows the visible part. For a movie with a
  /// clean aperture, a second picture shows the whole frame, because some programs that copy movies keep the area
  /// outside the aperture.
  ///
  /// - Returns: The pictures, or an empty list if the source is too small.
  func grids() throws -> [PictureGrid] {
    guard job.isMovie else { return try [grid(of: photo())].compactMap { $0 } }
    let frame = try StillPictures.firstFrame(of: job.source) { false }
    var layout = try MovieSummary(FileByteSource(path: job.source)).layout
    var pictures = [try Self.upright(frame, layout)]
    if layout.cleanAperture != nil {
      layout.cleanAperture = nil
      pictures.append(try Self.upright(frame, layout))
    }
    return try pictures.compactMap { try grid(of: Source(picture: $0)) }
  }

  private func grid(of source: Source) throws -> PictureGrid? {
    let (width, height) = (source.picture.format.width, source.picture.format.height)
    let side = PictureGrid.side
    guard min(width, height) >= side else { return nil }
    let picture = try scaled(source.picture, to: PixelSize(width: side, height: side))
    let shown = try colored(picture, of: source, keeps: false).forJPEG().chromaResampled(to: .yuv444)
    func bytes(_ samples: [UInt16]) -> Data { Data(samples.lowBytes) }
    let (cells, step) = (PictureGrid.chromaSide, side / PictureGrid.chromaSide)
    func chroma(_ plane: Int) -> Data {
      guard shown.format.sampling == .yuv444 else {
        return bytes([UInt16](repeating: 128, count: cells * cells))
      }
      let samples = shown.samples(ofPlane: plane)
      return bytes(
        (0..<cells * cells).map { cell in
          let first = cell / cells * step * side + cell % cells * step
          var sum = 0
          for y in 0..<step {
            for x in 0..<step { sum += Int(samples[first + y * side + x]) }
          }
          return UInt16((sum + step * step / 2) / (step * step))
        })
    }
    return PictureGrid(
      luma: bytes(shown.samples(ofPlane: 0)), blue: chroma(1), red: chroma(2), width: width, height: height)
  }

  private func make() throws -> Made {
    var source = try job.isMovie ? movie() : photo()
    let old = source.picture.format
    let size = job.size(of: old.size)
    // The profile of a grey picture cannot be used for an RGB picture.
    let keeps = job.profile == .keep && (job.format == .jpeg || old.sampling != .grey)
    if let profile = source.profile, !keeps, !ColorTable.canUse(profile: profile) {
      source.notes.append("The photo's colour profile cannot be used, so its colours were treated as sRGB.")
    }
    let picture = try colored(scaled(source.picture, to: size), of: source, keeps: keeps)
    let profile = keeps ? source.profile ?? ICCProfileWriter.profile(of: old.color) : nil
    let bytes: [UInt8]
    switch job.format {
    case .jpeg:
      let coded = picture.forJPEG().chromaResampled(to: sampling(old, as: size))
      let jpeg = try JPEGCodec.encode(coded, quality: jpegQuality(size))
      bytes = try ForeignPhoto.jpeg(jpeg, exif: source.exif, profile: profile)
    case .png:
      bytes = try ForeignPhoto.png(StillEncoder.png(pixels(picture)), exif: source.exif, profile: profile)
    case .webp:
      let webp = try StillEncoder.webp(pixels(picture), quality: webPQuality(old, as: size))
      bytes = try ForeignPhoto.webp(
        webp, exif: source.exif, profile: profile, width: size.width, height: size.height)
    }
    return Made(bytes: bytes, size: size, notes: source.notes)
  }

  /// Returns the quality on the IJG scale. `standard` keeps the mean colour error (CIEDE2000) at 1 or below. Smaller
  /// pictures have more detail in each block and need a higher quality. `small` corresponds to the quality that
  /// websites use.
  private func jpegQuality(_ size: PixelSize) -> Int {
    switch (job.quality, max(size.width, size.height)) {
    case (.small, _): 80
    case (.standard, 1280...): 96
    case (.standard, 640...): 98
    default: 99
    }
  }

  /// Returns the quality on libwebp's scale, or nil for lossless encoding. Lossy WebP has one chroma sample for four
  /// pixels, which is enough if the source does not have more chroma samples.
  private func webPQuality(_ old: FrameFormat, as size: PixelSize) -> Int? {
    if job.quality == .small { return 80 }
    return job.quality == .standard && size == old.size && old.sampling == .yuv420 ? 95 : nil
  }

  /// Returns the chroma subsampling of a JPEG. A reduced picture keeps full-resolution chroma (4:4:4), because its fine
  /// details are visible.
  private func sampling(_ old: FrameFormat, as size: PixelSize) -> ChromaSampling {
    if old.sampling == .grey || size == old.size { return old.sampling }
    return job.quality == .small ? .yuv420 : .yuv444
  }

  private func photo() throws -> Source {
    let photo = try Photo(FileByteSource(path: job.source))
    guard let kind = photo.kind else {
      throw MediaError("the file is not a photo", remedy: "specify a photo")
    }
    try photo.source.checkPhotoSize()
    let small = try job.longerSide.flatMap { try kind.codec.decode(photo, toHold: $0) }
    let decoded = try small ?? kind.codec.decode(photo)
    var source = Source(
      picture: try decoded.upright, profile: try photo.iccProfile())
    // Damaged Exif data does not prevent the picture from being converted.
    do { source.exif = try photo.captureExif() } catch is MediaError {}
    if source.exif != nil {
      source.notes.append(
        "The image keeps only metadata for date, location, camera and exposure, if known and not stripped."
      )
    }
    return source
  }

  private func movie() throws -> Source {
    let file = try FileByteSource(path: job.source)
    let frame = try StillPictures.firstFrame(of: job.source) { false }
    var source = Source(
      picture: try Self.upright(frame, MovieSummary(file).layout),
      notes: ["The image is the movie's first frame."])
    // Damaged movie metadata does not prevent the frame from being converted.
    do { source.exif = CaptureFacts(try MovieMetadata(reading: file)).exif } catch is MediaError {}
    return source
  }

  /// Returns a movie's stored frame as players show it.
  private static func upright(_ frame: PlanarFrame, _ layout: FrameLayout) throws -> PlanarFrame {
    try frame.shown(in: layout).turned(by: layout.orientation)
  }

  /// Scales a picture. If the picture will be converted to another matrix or to RGB, the scaled picture has
  /// full-resolution chroma (4:4:4) and two more bits per sample, so that rounding happens only once.
  private func scaled(_ picture: PlanarFrame, to size: PixelSize) throws -> PlanarFrame {
    let old = picture.format
    let isCodedAsJPEG =
      job.format == .jpeg && [5, 6].contains(old.color.matrix) && old.color.isFullRange == true
    let isCentred = [nil, .center].contains(old.color.chromaLocation)
    if isCodedAsJPEG, isCentred, size == old.size { return picture }
    guard
      let scaled = picture.scaled(
        to: size, sampling: isCodedAsJPEG ? sampling(old, as: size) : .yuv444,
        bitDepth: isCodedAsJPEG ? old.bitDepth : max(10, old.bitDepth))
    else { throw MediaError("the picture cannot be scaled to \(size.width)x\(size.height)") }
    return scaled
  }

  /// Converts a picture to the requested colours.
  private func colored(_ picture: PlanarFrame, of source: Source, keeps: Bool) throws -> PlanarFrame {
    let color = picture.format.color
    if keeps || (source.profile == nil && ICCProfileWriter.profile(of: color) == nil) { return picture }
    let table = try ColorTable(
      from: color, profile: source.profile, to: .sRGBJPEG, bitDepth: picture.format.bitDepth)
    return try table.apply(to: picture).described(as: .sRGBJPEG)
  }

  private func pixels(_ picture: PlanarFrame) throws -> PackedPixels {
    guard let pixels = PackedPixels(picture) else { throw MediaError("the chroma layout is not supported") }
    return pixels
  }
}

extension DecodedPhoto {
  /// The visible part of the picture in its stored orientation.
  var shown: PlanarFrame {
    get throws {
      guard let aperture else { return picture }
      return try picture.part([
        Double(aperture.x), Double(aperture.y), Double(aperture.width), Double(aperture.height),
      ])
    }
  }
}

extension PlanarFrame {
  /// Returns a part of the picture.
  ///
  /// - Parameters:
  ///   - scene: The left edge, top edge, width and height of the part in samples.
  ///   - needsEvenSize: Whether the width and height of the part must be even numbers.
  func part(_ scene: SIMD4<Double>, needsEvenSize: Bool = false) throws -> PlanarFrame {
    let plan = try GeometryPlan(
      Geometry(),
      of: GeometryPlan.Picture(
        width: format.width, height: format.height, scene: scene, sampling: format.sampling,
        needsEvenSize: needsEvenSize))
    return try plan.stage(self, FrameContext(half: .photo, time: 0))
  }
}
