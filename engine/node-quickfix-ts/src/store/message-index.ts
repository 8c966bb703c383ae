const FIRST_ROOM = 64;

/** Where each message is: 16 bytes a number, in ascending order. Appends in ascending order cost nothing but the room. */
export class MessageIndex {
  private numbers = new Float64Array(FIRST_ROOM);
  private places = new Float64Array(FIRST_ROOM);
  size = 0;

  /** A number that is there already gets the new place. */
  set(number: number, place: number): void {
    const at = this.firstAtOrAfter(number);
    if (at < this.size && this.numbers[at] === number) {
      this.places[at] = place;
      return;
    }
    if (this.size === this.numbers.length) this.grow();
    if (at < this.size) {
      this.numbers.copyWithin(at + 1, at, this.size);
      this.places.copyWithin(at + 1, at, this.size);
    }
    this.numbers[at] = number;
    this.places[at] = place;
    this.size++;
  }

  numberAt(index: number): number {
    return this.numbers[index]!;
  }

  placeAt(index: number): number {
    return this.places[index]!;
  }

  /** Removes every message whose place is below. */
  dropBelow(place: number): void {
    let kept = 0;
    for (let i = 0; i < this.size; i++) {
      if (this.places[i]! < place) continue;
      this.numbers[kept] = this.numbers[i]!;
      this.places[kept++] = this.places[i]!;
    }
    this.size = kept;
  }

  clear(): void {
    this.numbers = new Float64Array(FIRST_ROOM);
    this.places = new Float64Array(FIRST_ROOM);
    this.size = 0;
  }

  firstAtOrAfter(number: number): number {
    // The usual case: behind the last.
    if (this.size === 0 || this.numbers[this.size - 1]! < number) return this.size;
    let low = 0;
    let high = this.size;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.numbers[middle]! < number) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  private grow(): void {
    const numbers = new Float64Array(this.numbers.length * 2);
    const places = new Float64Array(this.places.length * 2);
    numbers.set(this.numbers);
    places.set(this.places);
    this.numbers = numbers;
    this.places = places;
  }
}
