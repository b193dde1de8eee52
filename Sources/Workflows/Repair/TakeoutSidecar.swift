import Basics
import EditLibrary
import EditModel
import FileSystem
import FoundationEssentials

/// The facts that Google Takeout tells of a photo or movie in the JSON file beside it.
///
/// Its form was read off exports: nothing of it is documented.
package struct TakeoutSidecar: Hashable, Sendable {
  /// The file's name before Takeout changed or cut it.
  package var title: String
  /// When it was taken, in milliseconds since 1970 UTC; Takeout knows whole seconds.
  package var taken: Int?
  /// Where it was taken.
  package var location: GeoLocation?
  /// The asset's address, which is the same in all sidecars of one asset.
  package var address: String?

  /// A sidecar with more bytes is none.
  private static let largest = 1 << 20

  /// Reads a sidecar.
  ///
  /// - Returns: nil for what is none.
  /// - Throws: ``Basics/EditError`` when the system does not let it be read.
  package init?(path: String) throws(EditError) {
    let bytes = try ifSound(path) { try FileByteSource(path: path).bytes(atMost: Self.largest) }
    guard let bytes, let content = try? JSONText.decode(Content.self, from: bytes),
      let title = content.title
    else { return nil }
    self.title = title
    taken = content.photoTakenTime?.timestamp.flatMap { Int($0) }.flatMap { seconds in
      seconds.magnitude < 1 << 40 ? seconds * 1000 : nil
    }
    // Takeout writes zeros where it knows no place.
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

/// The sidecars in a folder, found by the names of the files that they are about.
struct TakeoutSidecars {
  /// Paths by the names that they stand for, in lower case.
  private var paths: [String: String] = [:]
  /// Those that were read, by their paths: a long name that was cut may stand for many files. Nil for what is none.
  private var known: [String: TakeoutSidecar?] = [:]

  /// The ending that newer exports put before `.json`, cut where names get too long.
  private static let ending = ".supplemental-metadata"
  /// Takeout cuts the names of sidecars to so many characters, without `.json`.
  private static let longest = 46

  /// - Parameter listing: the folder.
  init(in listing: FolderListing) {
    for name in listing.names where name.lowercased().hasSuffix(".json") {
      paths[Self.subject(String(name.dropLast(5)).lowercased())] = listing.path(name)
    }
  }

  /// The sidecar of a file; nil where there is none.
  ///
  /// - Parameter name: the file's name.
  /// - Throws: ``Basics/EditError`` when the system does not let one be read.
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

  /// The name of the file that a sidecar is about: `img_1.jpg` for `img_1.jpg.supplemental-meta`, and `img_1(2).jpg` for
  /// `img_1.jpg(2)`.
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
