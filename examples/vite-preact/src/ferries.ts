export interface Ferry {
  id: string;
  to: string;
  leaves: string;
  minutes: number;
  berth: number;
  full: boolean;
}

export const FERRIES: Ferry[] = [
  { id: 'f1', to: 'Lighthouse', leaves: '09:05', minutes: 25, berth: 2, full: false },
  { id: 'f2', to: 'North Shore', leaves: '09:20', minutes: 40, berth: 1, full: true },
  { id: 'f3', to: 'Old Harbour', leaves: '09:35', minutes: 15, berth: 3, full: false },
  { id: 'f4', to: 'Bird Island', leaves: '10:10', minutes: 70, berth: 2, full: false },
];

export const NOTICE = '<strong>Fog</strong> until ten. Crossings may take <em>longer</em>.';
