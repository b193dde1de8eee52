import Basics
import EditModel
import FileSystem
import LivePhotoFormat

/// The location and the people's names that an asset's files reveal to anyone who receives them.
package struct PrivateFacts: Hashable, Sendable {
  /// The location in the photo, or else in the movie, or nil if neither file contains a location.
  package var location: GeoLocation?
  /// The names of people, without duplicates.
  package var people: [String] = []

  /// Reads the headers of both halves.
  ///
  /// - Parameters:
  ///   - photo: The path of the photo, or nil if there is none.
  ///   - movie: The path of the movie, or nil if there is none.
  /// - Throws: ``EditError`` if a file cannot be read.
  package init(photo: String?, movie: String?) throws(EditError) {
    if let photo {
      let metadata = try readFile(photo) { try Photo($0).metadata() }
      location = metadata.location
      people = metadata.people
    }
    if location == nil, let movie {
      location = try readFile(movie) { CaptureFacts(try MovieMetadata(reading: $0)).location }
    }
  }
}
