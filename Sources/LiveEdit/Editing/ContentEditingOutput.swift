public import Basics
import EditLibrary
public import EditModel
import Synchronization
import Workflows

public import struct FoundationEssentials.URL

/// The result of an edit: the rendered files, and the data needed to resume the edit.
///
/// ``LivePhotoEditingContext/saveLivePhoto(to:progress:)`` writes the files, or the program itself writes them to
/// ``renderedPhoto`` and ``renderedMovie``. The rendered pictures must be upright. A Live Photo needs both halves, with
/// the same new identifier. ``PhotoLibrary/performChanges(_:)`` makes the files the current version. If that method is
/// not called, the files are deleted when this object is deinitialised.
///
///     let output = try ContentEditingOutput(input)
///     output.renderSettings.quality = .high
///     output.adjustmentData = AdjustmentData(
///       edit: Edit(orientation: .right), settings: output.renderSettings)
public final class ContentEditingOutput: Sendable {
  /// The URL for the rendered photo; nil if the asset has no photo.
  public var renderedPhoto: URL? { paths[.photo].map { URL(file: $0) } }
  /// The URL for the rendered movie; nil if the asset has no movie.
  public var renderedMovie: URL? { paths[.movie].map { URL(file: $0) } }

  /// The description of the edit, for the program that edits the asset next. ``LivePhotoEditingContext`` sets this
  /// property when it renders without a frame processor. In all other cases, the program sets the property before it
  /// performs the change.
  ///
  /// liveedit must be able to re-render every version whose adjustment data is in liveedit's own format. Use that
  /// format only for files that ``LivePhotoEditingContext`` rendered without a frame processor.
  public var adjustmentData: AdjustmentData? {
    get { state.withLock { $0.adjustmentData } }
    set { state.withLock { $0.adjustmentData = newValue } }
  }

  /// The settings of the render. If the last edit is resumed and is in liveedit's own format, the initial values are
  /// that edit's settings; otherwise they are the standard settings.
  public var renderSettings: RenderSettings {
    get { state.withLock { $0.settings } }
    set { state.withLock { $0.settings = newValue } }
  }

  /// The input that this output was created from.
  let input: ContentEditingInput
  private let files: EditingFiles
  private let state: Mutex<State>

  private struct State {
    var adjustmentData: AdjustmentData?
    var settings: RenderSettings
    var rendered: Rendered?
  }

  /// Creates an output and prepares the location of its rendered files.
  ///
  /// - Parameter input: The input of the edit.
  /// - Throws: ``Basics/EditError`` if the library's folder is not writable.
  public init(_ input: ContentEditingInput) throws(EditError) {
    self.input = input
    files = try EditingFiles(in: input.library, stem: input.asset.stem)
    state = Mutex(State(settings: input.adjustmentData?.decoded()?.settings ?? .standard))
  }

  /// The paths of the rendered files, by role.
  var paths: [FileRole: String] {
    Dictionary(uniqueKeysWithValues: input.sources.keys.map { ($0, files.path($0)) })
  }

  /// An edit that a context has rendered.
  struct Rendered: Sendable {
    /// The edit in liveedit's own format.
    var adjustment: AdjustmentData
    /// The build that rendered the files; see ``EditModel/RenderResult/build``.
    var build: String
  }

  /// The edit from which liveedit can re-render the files; nil if only the calling program can re-render them.
  var rendered: Rendered? {
    get { state.withLock { $0.rendered } }
    set { state.withLock { $0.rendered = newValue } }
  }
}
