// A window on many rows: which are drawn, and where, from heights that are learnt as they show.
export class Heights {
  private readonly known = new Map<string, number>();
  private tops: number[] = [];
  private keys: string[] = [];

  /** Lays the rows out; `guess` is the height of a row that was never drawn. */
  lay(keys: string[], guess: (index: number) => number): void {
    this.keys = keys;
    this.tops = new Array<number>(keys.length + 1);
    let top = 0;
    for (let index = 0; index < keys.length; index++) {
      this.tops[index] = top;
      top += this.known.get(keys[index] as string) ?? guess(index);
    }
    this.tops[keys.length] = top;
  }

  /** Learns a height; says whether that changes anything. */
  learn(key: string, height: number): boolean {
    if (height === 0 || this.known.get(key) === height) return false;
    this.known.set(key, height);
    return true;
  }

  top(index: number): number {
    return this.tops[Math.min(index, this.keys.length)] ?? 0;
  }

  get total(): number {
    return this.tops[this.keys.length] ?? 0;
  }

  /** The row at this height. */
  at(offset: number): number {
    let low = 0;
    let high = this.keys.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.tops[middle + 1] ?? 0) <= offset) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
