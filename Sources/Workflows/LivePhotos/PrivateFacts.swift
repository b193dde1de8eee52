import Basics
import EditModel
import FileSystem
import LivePhotoFormat

/// The place and the people that the files of an asset tell of to whoever gets them.
package struct PrivateFacts: Hashable, Sendable {
  /// The place, of the photo or else of the movie; nil where none is told.
  package var location: GeoLocation?
  /// The names of people, each once.
  package var people: [String] = []

  /// Reads the headers of both halves.
  ///
  /// - Parameters:
  ///   - photo: the photo's path; nil where there is none.
  ///   - movie: the movie's path; nil where there is none.
  /// - Throws: ``EditError`` when one cannot be read.
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
