// A window on many rows: which are drawn, and where, from heights that are learnt as they show.
export class Heights {
  private readonly known = new Map<string, number>();
  private tops: number[] = [];
  private rows: readonly { key: string }[] = [];
  private isStale = true;

  /**
   * Lays the rows out, if they or their heights are new. `guess` is the height of one that was
   * never drawn, and `isFixed` says of one that its height is never learnt.
   */
  lay<R extends { key: string }>(rows: readonly R[], guess: (row: R) => number, isFixed: (row: R) => boolean): void {
    if (this.rows === rows && !this.isStale) return;
    this.rows = rows;
    this.isStale = false;
    this.tops = new Array<number>(rows.length + 1);
    let top = 0;
    rows.forEach((row, index) => {
      this.tops[index] = top;
      top += (isFixed(row) ? undefined : this.known.get(row.key)) ?? guess(row);
    });
    this.tops[rows.length] = top;
  }

  /** Learns the height of a row; says whether it is another than the one it was laid out with. */
  learn(index: number, height: number): boolean {
    const row = this.rows[index];
    if (!row || height === 0 || this.top(index + 1) - this.top(index) === height) return false;
    this.known.set(row.key, height);
    this.isStale = true;
    return true;
  }

  top(index: number): number {
    return this.tops[Math.min(index, this.rows.length)] ?? 0;
  }

  get total(): number {
    return this.tops[this.rows.length] ?? 0;
  }

  /** The row at this height. */
  at(offset: number): number {
    let low = 0;
    let high = this.rows.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.tops[middle + 1] ?? 0) <= offset) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
