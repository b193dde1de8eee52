import Basics

/// A line of JSON that the render helper prints. A job prints one `confined` line, any number of `progress` and
/// `working` lines, and finally one line of the kind `result`, `checked`, `proposed`, `matched`, `converted`,
/// `libraries` or `error`. A preview prints one `confined` line, one `working` line when the preview is ready for
/// requests, and one `bytes` or `error` line for each request.
package enum RenderMessage: Codable, Hashable, Sendable {
  /// The process is confined as described. The process opened no files before it was confined.
  case confined(ConfinementState)
  /// The progress of the render.
  case progress(RenderProgress)
  /// Another part of the work is complete.
  case working
  /// The render is complete and its outputs are written; or the rehearsal of the render is complete.
  case result(RenderResult)
  /// The pictures were checked.
  case checked(PictureCheck)
  /// The edit that is proposed to improve the pictures.
  case proposed(AutoProposal)
  /// The edit that turns one photo into the other was found.
  case matched(FoundEdit)
  /// The conversion is complete.
  case converted(ConversionResult)
  /// The libraries that the render helper uses.
  case libraries([LinkedLibrary])
  /// The size in bytes of a reply to a request about an edit. The reply follows this line.
  case bytes(Int)
  /// The job failed, and its outputs were deleted.
  case error(EditError)
}
