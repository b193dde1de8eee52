import Basics

/// A line of JSON that the render helper prints. A job prints one `confined`, any number of `progress` and `working`,
/// then one `result`, `checked`, `proposed`, `matched`, `converted`, `libraries` or `error`. A preview prints one
/// `confined`, one `working` when it is ready for requests, and one `bytes` or `error` for each request.
package enum RenderMessage: Codable, Hashable, Sendable {
  /// The process is confined as described. It opened no files before.
  case confined(ConfinementState)
  /// The progress of the render.
  case progress(RenderProgress)
  /// Another part of the work is complete.
  case working
  /// The render is complete and its outputs are written, or the rehearsal is complete.
  case result(RenderResult)
  /// The pictures were checked.
  case checked(PictureCheck)
  /// A proposal that improves the pictures.
  case proposed(AutoProposal)
  /// The edit that turns one photo into another.
  case matched(FoundEdit)
  /// The conversion is complete.
  case converted(ConversionResult)
  /// The libraries that the render helper uses.
  case libraries([LinkedLibrary])
  /// The size in bytes of a reply to a request about an edit. The reply follows.
  case bytes(Int)
  /// The job failed, and its outputs were deleted.
  case error(EditError)
}
