public import Basics
import EditLibrary
public import EditModel
import Synchronization
import Workflows

public import struct FoundationEssentials.URL

/// The result of an edit: rendered files, and the data from which it can be resumed.
///
/// The files are written by ``LivePhotoEditingContext/saveLivePhoto(to:progress:)``, or by the program itself to
/// ``renderedPhoto`` and ``renderedMovie``: upright pictures, and for a Live Photo both halves, with one new
/// identifier. ``PhotoLibrary/performChanges(_:)`` makes them the current version; without it they go away with this
/// value.
///
///     let output = try ContentEditingOutput(input)
///     output.renderSettings.quality = .high
///     output.adjustmentData = AdjustmentData(
///       edit: Edit(orientation: .right), settings: output.renderSettings)
public final class ContentEditingOutput: Sendable {
  /// The place for the rendered photo; nil when the asset has none.
  public var renderedPhoto: URL? { paths[.photo].map { URL(file: $0) } }
  /// The place for the rendered movie; nil when the asset has none.
  public var renderedMovie: URL? { paths[.movie].map { URL(file: $0) } }

  /// The description of the edit, for the program that edits the asset next. ``LivePhotoEditingContext`` sets it if it renders
  /// without a frame processor; other programs set it before the change is performed.
  ///
  /// In liveedit's own format only what ``LivePhotoEditingContext`` rendered without a frame processor can be
  /// described: liveedit renders such versions again by itself.
  public var adjustmentData: AdjustmentData? {
    get { state.withLock { $0.adjustmentData } }
    set { state.withLock { $0.adjustmentData = newValue } }
  }

  /// The settings of the render. Begins as the settings of the last edit when that is resumed and liveedit's own.
  public var renderSettings: RenderSettings {
    get { state.withLock { $0.settings } }
    set { state.withLock { $0.settings = newValue } }
  }

  /// The input that this is the output of.
  let input: ContentEditingInput
  private let files: EditingFiles
  private let state: Mutex<State>

  private struct State {
    var adjustmentData: AdjustmentData?
    var settings: RenderSettings
    var rendered: Rendered?
  }

  /// Prepares a place for the rendered files.
  ///
  /// - Parameter input: what the edit begins with.
  /// - Throws: ``Basics/EditError`` when the library's folder cannot be written to.
  public init(_ input: ContentEditingInput) throws(EditError) {
    self.input = input
    files = try EditingFiles(in: input.library, stem: input.asset.stem)
    state = Mutex(State(settings: input.adjustmentData?.decoded()?.settings ?? .standard))
  }

  /// The files by role.
  var paths: [FileRole: String] {
    Dictionary(uniqueKeysWithValues: input.sources.keys.map { ($0, files.path($0)) })
  }

  /// The edit from which a context rendered the files.
  struct Rendered: Sendable {
    /// The edit in liveedit's own format.
    var adjustment: AdjustmentData
    /// The build that rendered them, see ``EditModel/RenderResult/build``.
    var build: String
  }

  /// The edit from which liveedit can render the files again; nil when only the program can.
  var rendered: Rendered? {
    get { state.withLock { $0.rendered } }
    set { state.withLock { $0.rendered = newValue } }
  }
}
