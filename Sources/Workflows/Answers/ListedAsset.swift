import Basics
import EditLibrary
import EditModel

/// An asset, as `list --json` prints it. Unknown values are omitted.
package struct ListedAsset: Encodable {
  private enum CodingKeys: CodingKey {
    case kind, subtypes, camera, make, model, software, width, height, date, dateSource
    case modified, location, duration, size, burst, representsBurst, favourite, hidden, edited, format, notes
  }

  /// The listed asset.
  package let asset: IndexedAsset

  /// - Parameter asset: The asset.
  package init(_ asset: IndexedAsset) { self.asset = asset }

  package func encode(to encoder: any Encoder) throws {
    let metadata = asset.metadata
    var members = encoder.container(keyedBy: CodingKeys.self)
    try members.encode(metadata.kind, forKey: .kind)
    let subtypes = AssetSubtype.allCases.filter(metadata.subtypes.contains)
    try members.encode(subtypes.map(\.rawValue), forKey: .subtypes)
    try members.encode(metadata.source, forKey: .camera)
    try members.encodeIfPresent(metadata.make, forKey: .make)
    try members.encodeIfPresent(metadata.model, forKey: .model)
    try members.encodeIfPresent(metadata.software, forKey: .software)
    try members.encodeIfPresent(metadata.width, forKey: .width)
    try members.encodeIfPresent(metadata.height, forKey: .height)
    try members.encodeIfPresent(metadata.created?.text, forKey: .date)
    try members.encodeIfPresent(metadata.created?.source, forKey: .dateSource)
    let modified = CaptureDate(wallClock: metadata.modified, offset: 0, source: .exif).text
    try members.encode(modified, forKey: .modified)
    try members.encodeIfPresent(metadata.location, forKey: .location)
    try members.encodeIfPresent(metadata.duration, forKey: .duration)
    try members.encode(metadata.size, forKey: .size)
    try members.encodeIfPresent(metadata.burst, forKey: .burst)
    if metadata.burst != nil { try members.encode(asset.representsBurst, forKey: .representsBurst) }
    try members.encode(asset.isFavourite, forKey: .favourite)
    try members.encode(asset.isHidden, forKey: .hidden)
    try members.encode(metadata.isEdited, forKey: .edited)
    try members.encodeIfPresent(metadata.adjustmentFormat, forKey: .format)
    try members.encode(metadata.notes.map(EnglishText.init(wrappedValue:)), forKey: .notes)
  }
}
