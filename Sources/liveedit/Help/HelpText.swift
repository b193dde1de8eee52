import FileSystem

/// The help, made from the declarations of the commands.
enum HelpText {
  /// The lines of the help of the program or of one command.
  ///
  /// - Parameter command: the command; nil for the program's own help.
  static func lines(_ command: CommandDeclaration?) -> [String] {
    (command.map(text) ?? general).split(separator: "\n", omittingEmptySubsequences: false).map {
      String($0)
    }
  }

  private static func text(_ command: CommandDeclaration) -> String {
    """
    \(command.summary)

    Usage: liveedit \(command.usage)

    Options:
    \(table(command.allOptions))

    \(remark(command.kind))
    """
  }

  private static func remark(_ kind: CommandDeclaration.Kind) -> String {
    switch kind {
    case .editing:
      """
      A file may be the photo or the movie of a Live Photo, or the render of either: all mean the whole.
      The originals are never changed; the render goes beside them as IMG_E0001, with IMG_0001.AAE.
      A folder means all photos and movies in it. Files that are named one by one change together, a folder at a
      time, or none of them does; of folders (with -r or without), lists and filters each changes for itself.
      """
    case .versions:
      """
      A file may be any file of a Live Photo: all mean the whole. The originals are never changed; move alone
      gives them other names. revert and redo change files of one folder that are named together, or none.
      """
    case .looking:
      """
      A file name means that file; what belongs to it is sought by its name in the same folder. A photo and a
      movie named alone are one Live Photo to verify, whatever their names. Nothing is changed.
      verify exits with 0 only when every Live Photo is valid, warnings or not.
      """
    case .collecting:
      """
      A filter compares fields with values: kind = live and date >= 2024-05 and not edited
        =  !=  <  <=  >  >=  contains  like "IMG_*"  in A..B     and  or  not  ( )
        has FIELD     near 48.137,11.575 within 5km
      Fields: name camera make model software format burst album; kind subtype; width height pixels size
      duration latitude longitude altitude; date modified; favourite hidden edited representative; location.
      Marks and albums are kept in .liveedit of each folder; the photos and movies are never changed.
      """
    case .presets:
      """
      A preset is a JSON file that sets some of light, colour, curve and look; liveedit apply lays it over edits.
      Your own are kept in $XDG_CONFIG_HOME/liveedit/presets, or in ~/.config/liveedit/presets.
      """
    case .watching:
      """
      A Live Photo is whole when both halves are there and have stopped growing; a half alone waits a minute for the
      other. What was there before the first watch stays as it is. Each asset is dealt with once, however often the
      watch is stopped and begun again: that is kept in $XDG_STATE_HOME/liveedit/watch, or in ~/.local/state.
      """
    case .making:
      """
      The files that are named are never changed: the new ones go into the folder of -o, where nothing is
      overwritten. A new file appears whole or not at all.
      """
    }
  }

  private static var general: String {
    let width = CommandTable.commands.map(\.name.count).max() ?? 0
    let commands = CommandTable.commands.map { command in
      "  " + TerminalText.padded(command.name, to: width) + "  " + command.summary
    }
    return """
      Edits Live Photos, the photo and its movie as one, and keeps the originals.

      Usage: liveedit COMMAND [options] FILE…

      Commands:
      \(commands.joined(separator: "\n"))

      Options:
      \(table(OptionDeclaration.general))

      liveedit COMMAND --help shows a command's options.
      Exit status: 0 done, 1 something failed, 2 nothing to do, 64 wrong usage.
      """
  }

  private static func table(_ options: [OptionDeclaration]) -> String {
    let names = options.map { option in
      let letter = option.letter.map { "-\($0), " } ?? "    "
      let joint = option.type == .optionalText ? "" : " "
      return letter + "--" + option.name + (option.placeholder.map { joint + $0 } ?? "")
    }
    let width = names.map(\.count).max() ?? 0
    return zip(names, options).map { "  " + TerminalText.padded($0, to: width) + "  " + $1.help }.joined(
      separator: "\n")
  }
}
