import Codecs
package import EditModel
import Rendering

/// Returns the shared libraries that decode, encode and interpret colours.
package func linkedLibraries() -> [LinkedLibrary] {
  let colors = colorLibrary()
  return LibraryBuilds.described.map { library in
    // Little CMS reports its own version; its build is that of the library file.
    library.name == "liblcms2"
      ? LinkedLibrary(name: library.name, version: colors, build: library.build) : library
  }
}
