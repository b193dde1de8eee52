import Basics
import Codecs
import EditModel
import FileSystem
import LivePhotoFormat
import Rendering

/// The photo of a job, ready to be rendered.
struct PhotoRender {
  let photo: Photo
  /// The frame of the movie that takes the place of the photo's picture; nil where that stays.
  let keyPhoto: KeyPhoto?
  let half: RenderJob.Half
  let job: RenderJob
  let geometry: JobGeometry
  let placement: PixelPlacement
  /// The ICC profile that the photo gets; nil where it keeps its own colours.
  let newProfile: [UInt8]?
  /// The changes that every picture goes through after it is turned, straightened and cropped.
  let stages: [FrameStage]
  /// True if the stages must see the picture as it is displayed.
  let isUpright: Bool
  /// True if nothing is written, and no more encoded than shows that it can be.
  let isRehearsal: Bool
  let stop: StopSignal
  let meter: ProgressMeter

  /// Renders the photo.
  func render() throws -> RenderResult {
    guard photo.source.count > 0 else {
      throw MediaError("the file is empty", remedy: "copy the file from the phone again")
    }
    try photo.source.checkPhotoSize()
    guard let kind = photo.kind else {
      throw MediaError("the file is not a JPEG photo", remedy: "specify a photo or a movie")
    }
    var result = try kind.codec.render(self)
    if job.edit.motion.effect == .longExposure {
      result.notes.append(
        "Motion in the movie is blurred in the photo. Areas outside the movie's picture are unchanged."
      )
    }
    if newProfile != nil {
      result.notes.append("The photo is now in Display P3, because the edit produced colours outside sRGB.")
    }
    if let keyPhoto {
      result.removals = keyPhoto.removals + result.removals
      result.notes.insert(keyPhoto.note, at: 0)
    }
    if job.edit.motion.isLiveOff, try photo.contentIdentifier() != nil {
      result.removals.append(
        Removal(half: .photo, name: "ContentIdentifier", reason: "pairs the photo with the movie"))
    }
    return result
  }

  /// A new JPEG for Exif, as large as the one in the original.
  ///
  /// - Parameter edited: the edited picture.
  /// - Returns: nil if the original has no such JPEG, or one that cannot be decoded.
  func exifThumbnail(_ edited: () throws -> PlanarFrame) throws -> [UInt8]? {
    guard let old = try photo.embeddedThumbnail().flatMap({ try? JPEGCodec.decode($0) }) else { return nil }
    return try edited().reduced(toFit: max(old.format.width, old.format.height)).map {
      try JPEGCodec.encode($0.forJPEG(), quality: 80)
    }
  }

  /// Writes the rendered photo, and makes sure that it can be shown. In a rehearsal its bytes go nowhere.
  ///
  /// - Parameter body: writes the photo with its own facts and identifier, and returns what it does not carry any more.
  /// - Returns: what is not carried any more in the end.
  func write(_ body: (any ByteSink) throws -> [Removal]) throws -> [Removal] {
    let sink = try OutputFile(isRehearsal ? nil : half.output, stop)
    var changes: [(Photo, any ByteSink) throws -> [Removal]] = []
    if let newProfile { changes.append { try $0.write(asDisplayP3: newProfile, to: $1) } }
    if !job.edit.facts.isNeutral { changes.append { try $0.write(stating: job.edit.facts, to: $1) } }
    if job.edit.motion.isLiveOff { changes.append { try $0.write(tiedBy: nil, to: $1) } }
    let first = MemoryByteSink()
    var removals = try body(changes.isEmpty ? sink : first)
    var photo = first
    for (index, change) in changes.enumerated() {
      let next = MemoryByteSink()
      let isLast = index == changes.count - 1
      removals += try change(Photo(MemoryByteSource(photo.bytes)), isLast ? sink : next)
      photo = next
    }
    try sink.close()
    if !isRehearsal { try LivePhotoVerification.checkShowing(photo: FileByteSource(path: half.output)) }
    meter.photo(1)
    return removals
  }

  /// The moment of the movie that the photo shows; 0 where that is not known.
  var stillTime: Double {
    if let seconds = keyPhoto?.seconds { return seconds }
    guard let movie = job.movie, let source = try? FileByteSource(path: movie.source) else { return 0 }
    return (try? Movie(source, photoAt: job.stillPlace))?.stillImageTime ?? 0
  }

  /// From places of the rendered picture to those of the photo as it was displayed, both in fractions; made only for edits
  /// that need it.
  var source: PictureProjection {
    get throws {
      guard job.edit.local != nil else { return PictureProjection() }
      let metadata = try photo.metadata()
      let size = PixelSize(width: metadata.width, height: metadata.height).turned(
        by: job.edit.orientation)
      let places = try geometry.photoPlan(size, sampling: .grey)?.sources ?? PictureProjection()
      return places.then(PictureProjection(job.edit.orientation).inverse)
    }
  }

  /// The note on a photo whose profile cannot be used by an edit that needs it.
  func profileNotes() throws -> [Message] {
    guard !job.edit.keepsColors, let profile = try photo.iccProfile(), !ColorTable.canUse(profile: profile)
    else { return [] }
    return ["The photo's colour profile cannot be used, so its colours were treated as sRGB."]
  }
}

/// The photo of a job, opened once for all that ask it; or the error of opening it, for the first that needs it.
typealias OpenedPhoto = Result<Photo, any Error>

extension OpenedPhoto {
  /// - Parameter path: the photo's file.
  init(path: String) {
    self.init { try Photo(FileByteSource(path: path)) }
  }
}
