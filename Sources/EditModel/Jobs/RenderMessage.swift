import Basics

/// One line that the render helper prints, as JSON: one `confined`, any number of `progress` and `working`, then one `result`, `checked`, `proposed`, `matched`,
/// `converted`, `libraries` or `error`. Of a preview there is a `confined`, a `working` when questions may be asked, and a `bytes` or `error`
/// for each of them.
package enum RenderMessage: Codable, Hashable, Sendable {
  /// The process is confined so far; files were not opened before.
  case confined(ConfinementState)
  /// How far the render is.
  case progress(RenderProgress)
  /// Another part of the work is done, of which there is nothing else to say.
  case working
  /// The render is done and its outputs are written, or it was rehearsed.
  case result(RenderResult)
  /// The pictures were looked at.
  case checked(PictureCheck)
  /// A proposal that would make the pictures better.
  case proposed(AutoProposal)
  /// The edit that made one photo of another.
  case matched(FoundEdit)
  /// The conversion is done.
  case converted(ConversionResult)
  /// The libraries that the helper uses.
  case libraries([LinkedLibrary])
  /// The answer to a question about an edit has so many bytes, which follow.
  case bytes(Int)
  /// The render failed and its outputs are gone.
  case error(EditError)
}
