# Shared by scripts/run, scripts/test, scripts/coverage and scripts/fuzz: install what is missing, configure, build.
# One line per step; what a step prints goes to build/log/ and its end is shown when the step fails.
# To be sourced from bash.
# shellcheck shell=bash disable=SC2034,SC2046

set -euo pipefail

invoked_from=$PWD
cd "$(dirname "${BASH_SOURCE[0]}")/.."
root=$PWD
deps=$root/build/deps          # packages unpacked instead of installed
unavailable=$deps/unavailable  # optional packages that this distribution does not have
mkdir -p build/log "$deps"

step() {  # NAME COMMAND...
  local log=build/log/$1.log began=$SECONDS status=0
  printf '%s ... ' "$1"
  shift
  "$@" >"$log" 2>&1 </dev/null || status=$?
  if [ $status -ne 0 ]; then
    printf 'failed after %d s, %s ends:\n' $((SECONDS - began)) "$log"
    tail -n 40 "$log"
    return $status
  fi
  printf 'done in %d s\n' $((SECONDS - began))
}

# ---- what is missing ---------------------------------------------------------------------------

prefixes() {
  printf '%s\n' /usr /usr/local
  [ ! -e "$deps/complete" ] || printf '%s\n' "$deps/usr"
  [ -z "${CMAKE_PREFIX_PATH:-}" ] || printf '%s\n' "${CMAKE_PREFIX_PATH//:/$'\n'}"
}

present() {  # PROBE: a command, or a file under one of the prefixes
  local prefix file=$1
  if [ "${file%/*}" = "$file" ]; then
    ! command -v "$file" >/dev/null || return 0
    file=bin/$file
  fi
  while read -r prefix; do
    ! compgen -G "$prefix/$file" >/dev/null || return 0
  done < <(prefixes)
  return 1
}

missing() {  # NEEDS: the packages of these needs that are neither here nor known not to exist
  local need package probe _
  while read -r need package probe _; do
    [[ " $1 " == *" $need "* ]] || continue
    present "$probe" || grep -qsxF "$package" "$unavailable" || printf '%s\n' "$package"
  done < <(grep -v '^#' scripts/packages)
}

# ---- installing --------------------------------------------------------------------------------

choose_installer() {  # sets install, and as_root: what to put before a command to run it as root
  as_root=() install=install_as_root
  [ "$(id -u)" -ne 0 ] || return 0
  if command -v sudo >/dev/null && { sudo -n true 2>/dev/null || { [ -t 0 ] && sudo -v; }; }; then
    as_root=(sudo)
    return 0
  fi
  if [[ $root = *' '* ]]; then
    echo "Without root, packages are unpacked under $deps: that path may not contain a space." >&2
    exit 3
  fi
  install=unpack_with_dependencies
  mkdir -p "$deps/apt/lists/partial" "$deps/apt/cache/archives/partial"
  printf 'Dir::%s "%s";\n' State::Lists "$deps/apt/lists/" Cache "$deps/apt/cache/" \
    Cache::pkgcache "" Cache::srcpkgcache "" >"$deps/apt/conf"
  export APT_CONFIG=$deps/apt/conf
}

update_package_lists() {
  "${as_root[@]}" apt-get -qq -o Acquire::http::Timeout=20 -o APT::Update::Error-Mode=any update
}

known() {  # PACKAGE...: those that apt has a version of
  local package
  for package; do
    [[ $(LC_ALL=C apt-cache policy "$package" 2>/dev/null) != *"Candidate: "[0-9]* ]] || printf '%s\n' "$package"
  done
}

remember_unavailable() {  # NEEDS: call after the package lists were updated
  local wanted
  mapfile -t wanted < <(missing "$1")
  [ ${#wanted[@]} -gt 0 ] || return 0
  comm -23 <(printf '%s\n' "${wanted[@]}" | sort) <(known "${wanted[@]}" | sort) >>"$unavailable"
}

install_as_root() {  # PACKAGE...
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -q -y --no-install-recommends install "$@"
}

unpack_with_dependencies() {  # PACKAGE...: and what they need that is not installed
  local packages
  mapfile -t packages < <(apt-get -s --no-install-recommends install "$@" |
    awk '/^Inst/ && $3 !~ /^\[/ { print $2 }')  # "[version]" marks an upgrade of what is installed
  [ ${#packages[@]} -gt 0 ] && unpack "${packages[@]}"
}

unpack() {  # PACKAGE...: exactly these, under build/deps
  local debs deb folder
  debs=$(mktemp -d "$deps/debs.XXXXXX") && (cd "$debs" && apt-get -q download "$@") || return
  rm -f "$deps/complete"
  mkdir -p "$deps"/usr/{bin,lib,lib64,sbin}
  for folder in bin lib lib64 sbin; do ln -sfn usr/$folder "$deps/$folder"; done
  for deb in "$debs"/*.deb; do  # dpkg -x would replace the links made above
    dpkg-deb --fsys-tarfile "$deb" | tar -x --keep-directory-symlink -C "$deps" || return
  done
  rm -r "$debs"
  finish_unpacked && touch "$deps/complete"
}

finish_unpacked() {  # what the packages' own scripts would have done; absolute paths
  local folder link
  for folder in "$deps"/usr/{lib,include}/*/openblas-pthread; do
    [ ! -d "$folder" ] || cp -rsf "$folder/." "$(dirname "$folder")"
  done
  find "$deps/usr/lib" -type l -lname '/*' ! -lname "$deps/*" | while read -r link; do
    [ ! -e "$deps$(readlink "$link")" ] || ln -sfn "$deps$(readlink "$link")" "$link"
  done
  find "$deps/usr/lib" -name libc.so -exec sed -i 's#/usr/lib/[^ ]*/libc_nonshared#libc_nonshared#' {} +
  find "$deps/usr" -name '*.pc' -type f -exec sed -i "s#=/usr#=$deps/usr#" {} +
}

install_missing() {  # REQUIRED OPTIONAL
  local packages headers=()
  choose_installer
  ! step update-package-lists update_package_lists || remember_unavailable "$2"
  mapfile -t packages < <(known $(missing "$1 ${2/headers/}"))
  [ ${#packages[@]} -eq 0 ] || step install-packages "$install" "${packages[@]}" || true
  [[ $2 != *headers* ]] || mapfile -t headers < <(known $(missing headers))
  [ ${#headers[@]} -eq 0 ] || step unpack-headers unpack "${headers[@]}" || true
}

ensure_packages() {  # REQUIRED OPTIONAL: needs; exits 3 where a required package cannot be had
  local wanted
  mapfile -t wanted < <(missing "$1 $2")
  [ ${#wanted[@]} -gt 0 ] || { echo "packages ... all here"; return 0; }
  echo "packages ... missing: ${wanted[*]}"
  ! command -v apt-get >/dev/null || install_missing "$1" "$2"
  mapfile -t wanted < <(missing "$1")
  [ ${#wanted[@]} -gt 0 ] || return 0
  printf '%s\n' "These packages are needed and could not be installed: ${wanted[*]}" \
    "With a network, as root: apt-get install ${wanted[*]}" >&2
  exit 3
}

# ---- building ----------------------------------------------------------------------------------

use_unpacked() {  # sets tools, to put before a command, and cmake_options
  local lib include
  tools=() cmake_options=()
  [ ! -d ../shared/data ] || cmake_options+=("-DSPLITBENCH_CORPUS=$(cd ../shared/data && pwd)")
  [ -e "$deps/complete" ] || return 0
  cmake_options+=("-DCMAKE_PREFIX_PATH=$deps/usr")
  lib=$(compgen -G "$deps/usr/lib/*-linux-gnu") || return 0
  tools=(env "PATH=$deps/usr/bin:$PATH" "LD_LIBRARY_PATH=$lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
         "PKG_CONFIG_PATH=$lib/pkgconfig:$deps/usr/share/pkgconfig")
  # The old kind of run path is also searched for what the libraries themselves need.
  cmake_options+=("-DCMAKE_EXE_LINKER_FLAGS=-Wl,--disable-new-dtags,-rpath,$lib"
                  "-DCMAKE_MODULE_LINKER_FLAGS=-Wl,-rpath,$lib")
  # Last in the search, so that the C++ library's headers still find the C library's after them.
  include=$deps/usr/include
  cmake_options+=("-DCMAKE_CXX_FLAGS=-idirafter $include/$(basename "$lib") -idirafter $include")
}

gpus_here() {  # sets gpu_options: compile for the GPUs that nvidia-smi names, for one kind where it names none
  local capabilities
  capabilities=$(nvidia-smi --query-gpu=compute_cap --format=csv,noheader 2>/dev/null |
    grep -xE '[0-9]+\.[0-9]' | sort -u | paste -sd ';') || capabilities=
  gpu_options=("-DSPLITBENCH_CUDA_BUILD_FOR=${capabilities:-one}")
}

build() {  # PRESET [--target NAME] [CMAKE-OPTION...]: that target instead of all
  local preset=$1 target=()
  shift
  [ "${1:-}" != --target ] || { target=("$1" "$2"); shift 2; }
  use_unpacked
  step "configure-$preset" "${tools[@]}" cmake --preset "$preset" "${cmake_options[@]}" "$@"
  step "build-$preset" "${tools[@]}" cmake --build --preset "$preset" -j "$(nproc)" \
    "${target[@]}"
}
