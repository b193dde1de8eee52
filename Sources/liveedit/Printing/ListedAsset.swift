import EditModel
import FileSystem
import LiveEdit

/// An asset as `list --json` prints it. Unknown values are left out.
struct ListedAsset: Encodable {
  private struct Originals: Encodable {
    var photo: String?
    var movie: String?
  }

  private let file: String
  private let originals: Originals
  private let kind: AssetKind
  private let subtypes: [String]
  private let camera: String
  private let make: String?
  private let model: String?
  private let software: String?
  private let width: Int?
  private let height: Int?
  private let date: String?
  private let dateSource: CaptureDate.Source?
  private let modified: String
  private let location: GeoLocation?
  private let duration: Double?
  private let size: Int
  private let burst: String?
  private let representsBurst: Bool?
  private let favourite: Bool
  private let hidden: Bool
  private let edited: Bool
  private let format: String?
  private let notes: [String]

  init(_ asset: IndexedAsset) {
    let metadata = asset.metadata
    file = asset.path
    originals = Originals(
      photo: asset.photo.map { FilePath.joined(asset.folder, $0) },
      movie: asset.movie.map { FilePath.joined(asset.folder, $0) })
    kind = metadata.kind
    subtypes = AssetSubtype.allCases.filter(metadata.subtypes.contains).map(\.rawValue)
    camera = metadata.source
    make = metadata.make
    model = metadata.model
    software = metadata.software
    width = metadata.width
    height = metadata.height
    date = metadata.created?.text
    dateSource = metadata.created?.source
    modified = CaptureDate(wallClock: metadata.modified, offset: 0, source: .exif).text
    location = metadata.location
    duration = metadata.duration
    size = metadata.size
    burst = metadata.burst
    representsBurst = metadata.burst == nil ? nil : asset.representsBurst
    favourite = asset.isFavourite
    hidden = asset.isHidden
    edited = metadata.isEdited
    format = metadata.adjustmentFormat
    notes = metadata.notes
  }
}
