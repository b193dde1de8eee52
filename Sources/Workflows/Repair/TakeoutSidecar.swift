import Basics
import EditLibrary
import EditModel
import FileSystem
import FoundationEssentials

/// The metadata in the JSON file that Google Takeout adds to a photo or movie.
///
/// The format is undocumented and was derived from exports.
package struct TakeoutSidecar: Hashable, Sendable {
  /// The file's name before Takeout changed or shortened it.
  package var title: String
  /// The capture time in milliseconds since 1970 UTC. Takeout stores whole seconds.
  package var taken: Int?
  /// The capture location.
  package var location: GeoLocation?
  /// The asset's URL, which is the same in all sidecars of one asset.
  package var address: String?

  /// The maximum size of a sidecar in bytes. Larger files are not sidecars.
  private static let largest = 1 << 20

  /// Reads a sidecar.
  ///
  /// - Returns: Nil if the file is not a sidecar.
  /// - Throws: ``Basics/EditError`` if the system does not allow the file to be read.
  package init?(path: String) throws(EditError) {
    let bytes = try ifSound(path) { try FileByteSource(path: path).bytes(atMost: Self.largest) }
    guard let bytes, let content = try? JSONText.decode(Content.self, from: bytes),
      let title = content.title
    else { return nil }
    self.title = title
    taken = content.photoTakenTime?.timestamp.flatMap { Int($0) }.flatMap { seconds in
      seconds.magnitude < 1 << 40 ? seconds * 1000 : nil
    }
    // Takeout writes zeros if the location is unknown.
    location = content.geoData.flatMap { place in
      place.latitude == 0 && place.longitude == 0
        ? nil : GeoLocation(latitude: place.latitude, longitude: place.longitude)
    }
    address = content.url
  }

  private struct Content: Decodable {
    struct Time: Decodable { var timestamp: String? }
    struct Place: Decodable {
      var latitude: Double
      var longitude: Double
    }
    var title: String?
    var photoTakenTime: Time?
    var geoData: Place?
    var url: String?
  }
}

/// The sidecars in a folder, found by the names of the files that they describe.
struct TakeoutSidecars {
  /// The paths of the sidecars, by the lower-case names of the files that they describe.
  private var paths: [String: String] = [:]
  /// The sidecars that were read, by path, with nil for files that are not sidecars. A shortened file name may match
  /// many files, so each sidecar is read only once.
  private var known: [String: TakeoutSidecar?] = [:]

  /// The suffix that newer exports add before `.json`. The suffix is shortened if the name is too long.
  private static let ending = ".supplemental-metadata"
  /// The number of characters to which Takeout shortens a sidecar's name, without `.json`.
  private static let longest = 46

  /// - Parameter listing: The listing of the folder.
  init(in listing: FolderListing) {
    for name in listing.names where name.lowercased().hasSuffix(".json") {
      paths[Self.subject(String(name.dropLast(5)).lowercased())] = listing.path(name)
    }
  }

  /// Returns the sidecar of a file, or nil if the file has no sidecar.
  ///
  /// - Parameter name: The file's name.
  /// - Throws: ``Basics/EditError`` if the system does not allow a sidecar to be read.
  mutating func sidecar(of name: String) throws(EditError) -> TakeoutSidecar? {
    if paths.isEmpty { return nil }
    let lowered = name.lowercased()
    let parts = RenderNames.Parts(lowered)
    let edited =
      parts.stem.hasSuffix("-edited") ? parts.stem.dropLast("-edited".count) + "." + parts.fileExtension : nil
    let cut = lowered.count > Self.longest ? String(lowered.prefix(Self.longest)) : nil
    for path in [lowered, edited, cut].compactMap({ $0.flatMap { paths[$0] } }) {
      let sidecar = if let read = known[path] { read } else { try TakeoutSidecar(path: path) }
      known[path] = .some(sidecar)
      if let sidecar { return sidecar }
    }
    return nil
  }

  /// Returns the name of the file that a sidecar describes: `img_1.jpg` for `img_1.jpg.supplemental-meta`, and
  /// `img_1(2).jpg` for `img_1.jpg(2)`.
  static func subject(_ name: String) -> String {
    var name = name
    var counter = ""
    if name.hasSuffix(")"), let bracket = name.lastIndex(of: "("),
      name[name.index(after: bracket)...].dropLast().allSatisfy({ $0.isASCII && $0.isNumber })
    {
      counter = String(name[bracket...])
      name = String(name[..<bracket])
    }
    if let dot = name.lastIndex(of: "."), name.distance(from: dot, to: name.endIndex) > 1,
      Self.ending.hasPrefix(name[dot...])
    {
      name = String(name[..<dot])
    }
    guard !counter.isEmpty else { return name }
    let parts = RenderNames.Parts(name)
    return parts.fileExtension.isEmpty ? name + counter : parts.stem + counter + "." + parts.fileExtension
  }
}
